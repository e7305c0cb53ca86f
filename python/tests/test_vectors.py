"""The conformance vectors of the project (test/vectors), read by this implementation."""

import json
import unittest
from pathlib import Path

from countersign import ProtocolError, canonicalize, parse_json, parse_receipt, verify_receipt
from countersign.ed25519 import sign, verify
from countersign.encoding import from_base64url
from countersign.kept_checkpoint import consistency_roots, parse_note
from countersign.records import chain_hash, disclosure_digest, is_salted, payload_hash, shown_payload, signed_bytes
from countersign.receipts import thumbprint

VECTORS = Path(__file__).resolve().parents[2] / "test" / "vectors"


def read(name):
    return json.loads((VECTORS / name).read_text("utf-8"))


class Vectors(unittest.TestCase):
    def test_canonical_json(self):
        for vector in read("canonical.json"):
            with self.subTest(vector["name"]):
                if vector.get("error"):
                    with self.assertRaises(ProtocolError):
                        canonicalize(parse_json(vector["input"]))
                else:
                    self.assertEqual(canonicalize(parse_json(vector["input"])), vector["canonical"])

    def test_signatures(self):
        for vector in read("ed25519.json"):
            with self.subTest(vector["name"]):
                names = ("public_key", "message", "signature")
                key, message, signature = (bytes.fromhex(vector[name]) for name in names)
                self.assertEqual(verify(key, message, signature), vector["valid"])

    def test_records_and_receipts(self):
        ledger = read("ledger.json")
        keys = {(entry["key"]["agent_id"], entry["key"]["kid"]): entry for entry in ledger["agent_keys"]}
        services = [from_base64url(entry["key"]["public_key"], 32) for entry in ledger["service_keys"]]
        by_kid = {thumbprint(key): key for key in services}
        self.assertEqual(set(by_kid), {entry["key"]["kid"] for entry in ledger["service_keys"]})
        for operation in ledger["operations"]:
            record, receipt = operation["eor"], parse_receipt(operation["ear"])
            with self.subTest(operation["seq_no"]):
                entry = keys[(record["agent_id"], record["agent_pubkey_kid"])]
                signature = from_base64url(record["signature"], 64)
                message = signed_bytes(record)
                self.assertTrue(verify(from_base64url(entry["key"]["public_key"], 32), message, signature))
                self.assertEqual(sign(bytes.fromhex(entry["seed_hex"]), message), signature)
                self.assertEqual(chain_hash(message, signature), receipt["chain_hash"])
                self.assertEqual(payload_hash(record["payload"]), record["payload_hash"])
                self.assertTrue(verify_receipt(receipt, by_kid[receipt["service_kid"]]))
                self.assertFalse(verify_receipt({**receipt, "seq_no": 99}, by_kid[receipt["service_kid"]]))

    def test_consistency_proofs(self):
        log = read("log.json")["log"]
        roots = {one["size"]: bytes.fromhex(one["root"]) for one in log["sizes"]}
        for proof in log["consistency"]:
            first, second = proof["first"], proof["second"]
            path = [bytes.fromhex(one) for one in proof["path"]]
            with self.subTest(f"{first} to {second}"):
                self.assertEqual(consistency_roots(first, second, roots[first], path), (roots[first], roots[second]))
                longer = consistency_roots(first, second, roots[first], [*path, bytes(32)])
                self.assertNotEqual(longer, (roots[first], roots[second]))

    def test_checkpoints(self):
        note = parse_note((VECTORS / "checkpoint.txt").read_text("utf-8"))
        self.assertTrue(note.origin.startswith("countersign.v1/"))
        self.assertEqual(len(note.lines), 1)
        for text in ("", "a\n1\n", note.text, f"{note.text}\nline", note.text.replace("\n", "\n0", 1) + "\nline\n"):
            with self.subTest(text), self.assertRaises(ProtocolError):
                parse_note(text)

    def test_kept_receipts(self):
        keys = {
            entry["key"]["kid"]: from_base64url(entry["key"]["public_key"], 32)
            for entry in read("ledger.json")["service_keys"]
        }
        for line in (VECTORS / "receipts.jsonl").read_text("utf-8").splitlines():
            receipt = parse_receipt(parse_json(line))
            self.assertTrue(verify_receipt(receipt, keys[receipt["service_kid"]]))

    def test_disclosures(self):
        vectors = read("disclosures.json")
        for vector in vectors["rfc_9901"]:
            if "disclosure" in vector:
                self.assertEqual(disclosure_digest(vector["disclosure"]), vector["digest"])
        for payload in vectors["payloads"]:
            with self.subTest(payload["seq_no"]):
                self.assertTrue(is_salted(payload["payload"]))
                disclosures = {name: member["disclosure"] for name, member in payload["members"].items()}
                for member in payload["members"].values():
                    self.assertEqual(canonicalize(member["disclosure"]), member["canonical"])
                    self.assertEqual(disclosure_digest(member["disclosure"]), member["digest"])
                shown = shown_payload(payload["payload"], disclosures)
                self.assertEqual(set(shown) - {"profile"}, set(disclosures))
                for name, (salt, value) in disclosures.items():
                    for other in ({name: [salt, [value]]}, {name + "!": [salt, value]}, {name: [salt, name, value]}):
                        with self.assertRaises(ProtocolError):
                            shown_payload(payload["payload"], other)


if __name__ == "__main__":
    unittest.main()
