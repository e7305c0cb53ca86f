@echo off
rem The command line of the installed desktop: no window.
"%~dp0Countersign.exe" --cli %*
