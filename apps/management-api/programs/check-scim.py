"""Runs scim2-tester against a gateway: python check-scim.py <address> <key>. See docs/provisioning.md."""

import sys
from collections import Counter

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

address, key = sys.argv[1:3]
headers = {"Authorization": f"Bearer {key}"}
with httpx2.Client(base_url=f"{address}/scim/v2", headers=headers, timeout=30) as client:
    results = check_server(SyncSCIMClient(client))
for result in results:
    if result.status != Status.SUCCESS:
        print(result.status.name, result.resource_type or "", result.title, "-", str(result.reason)[:400])
print(", ".join(f"{count} {name.lower()}" for name, count in Counter(one.status.name for one in results).items()))
sys.exit(any(result.status not in (Status.SUCCESS, Status.SKIPPED) for result in results))
