"""verify_bundle.py in a process that stays: jobs come in as lines of JSON, answers go out as such (support/fuzz/job.ts)."""

import io
import json
import resource
import sys
import traceback

import verify_bundle as verifier


def judge_certificate(job):
    certificate = verifier.read_certificate(verifier.opener_of(job["file"]))
    if certificate is None:
        raise verifier.Unreadable("no certificate")
    against = [(path, verifier.opener_of(path)) for path in job["against"]]
    judged = verifier.judge_certificate(certificate, verifier.Options(job["trust"], against=against))
    told = [[one["statement"], one["state"], one["code"]] for one in judged["statements"]]
    codes = [code for _, _, code in told if code]
    shown = json.dumps(told, separators=(",", ":"))
    return {"verdict": judged["verdict"], "roots": codes, "first": codes[0] if codes else None, "codes": codes,
            "shown": shown, "details": [shown]}


def judge(job):
    agent_keys = {}
    for entry in job["trustAgent"]:
        agent_id, key = verifier.agent_key_entry(entry)
        agent_keys.setdefault(agent_id, set()).add(key)
    files = {name: [(path, verifier.opener_of(path)) for path in job[member]]
             for name, member in (("receipts", "receipts"), ("against", "against"), ("checkpoints", "checkpoint"))}
    try:
        if job.get("kind") == "certificate":
            return judge_certificate(job)
        verdict, report = verifier.verify(verifier.opener_of(job["file"]), job["trust"], agent_keys=agent_keys,
                                          made_not_before=job["madeNotBefore"], **files)
    except verifier.Unreadable as error:
        return {"verdict": "unreadable", "roots": [], "first": None, "codes": [], "shown": None, "details": [str(error)]}
    payloads = report.checks["payloads"]
    counts = payloads.get("counts", {})
    told = [report.withheld] + ([counts, payloads.get("remark")] if counts.get("payloads") else [])
    shown = json.dumps(told, separators=(",", ":"))
    errors = {finding["code"] for finding in report.findings if finding["severity"] == "error"}
    found = [code for code, _ in report.problems] + [finding["code"] for finding in report.findings]
    return {"verdict": report.data or verdict, "roots": sorted(errors), "first": found[0] if found else None, "codes": sorted(report.counts),
            "shown": None if payloads["status"] == "not_checked" else shown,
            "details": ["%(severity)s %(code)s: %(message)s %(where)s" % finding for finding in report.findings]
            + ["%s: %s" % (name, check["reason"]) for name, check in report.checks.items() if "reason" in check]}


def run(arguments):
    """What the program prints, given arguments, and its exit status."""
    kept = sys.argv, sys.stdout, sys.stderr
    printed = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    sys.argv, sys.stdout, sys.stderr = ["verify_bundle.py"] + arguments, *printed
    try:
        status = verifier.main()
    except SystemExit as ended:  # wrong usage
        status = ended.code
    except Exception:  # as Python ends a program
        traceback.print_exc()
        status = 1
    finally:
        sys.argv, sys.stdout, sys.stderr = kept
    texts = []
    for stream in printed:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return {"status": status, "stdout": texts[0], "stderr": texts[1]}


def main():
    before = 0
    for line in sys.stdin:
        job = json.loads(line)
        if "arguments" in job:
            print(json.dumps({"id": job["id"], **run(job["arguments"])}), flush=True)
            continue
        try:
            answer = judge(job)
        except Exception:  # what is compared is that this never happens
            answer = {"verdict": "crashed", "roots": [], "first": None, "codes": [], "shown": None, "details": [traceback.format_exc()]}
        answer["id"] = job["id"]
        used = resource.getrusage(resource.RUSAGE_SELF)
        answer["cpuMs"] = (used.ru_utime + used.ru_stime - before) * 1000
        answer["peakBytes"] = used.ru_maxrss * 1024
        before = used.ru_utime + used.ru_stime
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
