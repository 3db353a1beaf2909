"""Gives a team a key with a monthly limit, looks it up among all keys, and reads what the organization used today.

WEIR_URL=… WEIR_API_KEY=… python examples/team_key.py
"""

import json
import os
from datetime import UTC, datetime

from weir_management import AuthenticatedClient
from weir_management.api.api_keys import create_api_key, list_api_keys, set_api_key_limit
from weir_management.api.usage import read_organization_usage
from weir_management.models import (
    ApiKeys,
    CreateApiKey,
    CreateApiKeyLabels,
    CreatedApiKey,
    GatewayError,
    ReadOrganizationUsageFilter,
    SetLimit,
    Usage,
)

client = AuthenticatedClient(
    base_url=os.environ.get("WEIR_URL", "http://127.0.0.1:4000"), token=os.environ["WEIR_API_KEY"]
)

labels = CreateApiKeyLabels.from_dict({"team": "search"})
made = create_api_key.sync(client=client, body=CreateApiKey(name="search, by Python", labels=labels))
# A reply is what was asked for, or the refusal; both are types.
assert isinstance(made, CreatedApiKey), made
set_api_key_limit.sync_detailed(made.api_key_id, client=client, body=SetLimit(monthly_limit=20))

keys = list_api_keys.sync(client=client, search="by Python")
assert isinstance(keys, ApiKeys), keys
found = next(key for key in keys.keys if key.id == made.api_key_id)

usage = read_organization_usage.sync(
    client=client,
    start=datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0),
    group_by=["model_requested"],
    filter_=ReadOrganizationUsageFilter.from_dict({"model_requested": ["sandbox/chat", "sandbox/other"]}),
)
assert isinstance(usage, Usage), usage

refused = set_api_key_limit.sync_detailed(made.api_key_id, client=client, body=SetLimit(monthly_limit=-1))
assert isinstance(refused.parsed, GatewayError), refused
refusal = {
    "status": refused.status_code.value,
    "code": refused.parsed.error.code,
    "param": refused.parsed.error.param,
}

print(
    json.dumps(
        {
            "key": made.api_key,
            "monthly_limit": found.monthly_limit,
            "usage": [entry.to_dict() for entry in usage.usage.additional_properties.values()],
            "refusal": refusal,
        }
    )
)
