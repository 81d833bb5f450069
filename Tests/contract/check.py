"""Holds schemas, AsyncAPI document, examples and the messages of a run to each other. Exit code 1 when something is wrong."""
import argparse
import json
import pathlib
import shutil
import sys
import unittest

import documents
import messages
import schemas

# What a run has to hold, so that a check of nothing does not pass.
WANTED = [
    *["ChannelDetails", "PlaylistRequest", "PlaylistPage", "VideoRecord", "RequestControl", "WorkerReport", "RetriedMessage", "DeadLetter"],
    *["SearchRequest valid", "SearchRequest invalid", "SearchContinuation"],
    *["Settlement", "ChannelRequest", "ChannelRequest valid", "ChannelRequest invalid", "DeadLetter attemptsExhausted", "DeadLetter invalidRequest"],
    *[f"RequestEvent {kind}" for kind in ("resolved", "page", "pageFailed", "completed", "notFound", "failed", "cancelled", "expired", "rejected")],
]


def check_dump(path, document, all_schemas):
    checker = messages.Checker(document, all_schemas)
    with open(path, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if "topics" in entry:
                checker.check_topics(entry["topics"])
            else:
                checker.check(messages.Message(entry))
    problems = checker.problems + [f"the run had no {name}" for name in WANTED if not checker.seen[name]]
    print(f"messages: {sum(n for name, n in checker.seen.items() if ' ' not in name):,} of the run")
    for name, number in sorted(checker.seen.items()):
        print(f"  {number:7,}  {name}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", help="messages of a run, one JSON object a line")
    parser.add_argument("--release", metavar="VERSION", help="keep the schemas as those of this version, and nothing else")
    arguments = parser.parse_args()
    if arguments.release:
        target = documents.RELEASED / arguments.release
        target.mkdir(parents=True)
        for path in (schemas.DEPLOY / "schemas").glob("*" + schemas.SUFFIX):
            shutil.copy(path, target)
        return 0
    document, all_schemas = schemas.asyncapi(), schemas.load()
    problems = documents.check_schemas(all_schemas) + documents.check_asyncapi(document, all_schemas)
    problems += documents.check_compatibility(document, all_schemas)
    wrong, count = documents.check_examples(all_schemas)
    problems += wrong
    print(f"schemas: {len(all_schemas)}, channels: {len(document['channels'])}, examples in documents: {count}")
    tests = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
    if not unittest.TextTestRunner(verbosity=0).run(tests).wasSuccessful():
        problems.append("the tests of the compatibility check fail")
    if arguments.dump:
        problems += check_dump(arguments.dump, document, all_schemas)
    for problem in problems[:50]:
        print(f"contract: {problem}", file=sys.stderr)
    if problems:
        print(f"contract: {len(problems)} problems", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
