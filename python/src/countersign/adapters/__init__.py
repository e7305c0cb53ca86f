"""Adapters for frameworks; none of them needs its framework to be imported."""
