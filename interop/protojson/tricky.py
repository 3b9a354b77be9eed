"""Texts at the edges of ProtoJSON."""

import json


def agreed():
    """(message, text): both sides refuse it, or read the same message."""
    return [
        *presence(),
        *names(),
        *duplicates(),
        *enums(),
        *integers(),
        *booleans_and_strings(),
        *bytes_(),
        *timestamps(),
        *values(),
        *containers(),
        *not_json(),
    ]


def presence():
    """`null`, defaults, and members of a oneof."""
    yield "Task", "{}"
    yield "Task", '{"id":null,"status":null,"artifacts":null,"metadata":null}'
    yield "Part", '{"data":null}'
    yield "Part", '{"data":null,"text":null}'
    yield "Part", '{"text":null,"data":null,"mediaType":"application/json"}'
    yield "Part", '{"text":null}'
    yield "Part", '{"text":""}'
    yield "Part", '{"raw":""}'
    yield "Part", '{"url":""}'
    yield "Part", '{"text":null,"url":"https://a.example/"}'
    yield "Part", '{"url":"https://a.example/","text":null}'
    yield "Part", '{"text":"a","raw":"YQ=="}'
    yield "Part", '{"url":"u","data":{}}'
    yield "Part", '{"data":{},"data":{}}'
    yield "StreamResponse", '{"task":{"id":"1"},"message":{"messageId":"2"}}'
    yield "StreamResponse", '{"task":null,"message":{"messageId":"2"}}'
    yield "StreamResponse", '{"statusUpdate":{},"artifact_update":{}}'
    yield "StreamResponse", '{"statusUpdate":{}}'
    yield "SecurityScheme", '{"mtlsSecurityScheme":{}}'
    yield "SecurityScheme", '{"mtlsSecurityScheme":{},"apiKeySecurityScheme":{"name":"x"}}'
    yield "OAuthFlows", '{"implicit":{"scopes":{}},"password":null}'
    yield "AgentCapabilities", '{"streaming":false,"pushNotifications":null}'
    yield "AgentCard", '{"documentationUrl":"","iconUrl":null,"description":"","skills":[]}'
    yield "GetTaskRequest", '{"id":"1","historyLength":0}'
    yield "GetTaskRequest", '{"id":"1","historyLength":null}'
    yield "SendMessageConfiguration", '{"returnImmediately":false,"historyLength":0}'
    yield "ListTasksResponse", "{}"
    yield "ListTasksResponse", '{"tasks":[],"nextPageToken":"","pageSize":0,"totalSize":0}'
    yield "Task", '{"metadata":{}}'
    yield "SendMessageRequest", '{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"x"}]}}'


def names():
    """Both spellings of a name, and names that nobody knows."""
    yield "Message", '{"message_id":"1","contextId":"2","task_id":"3"}'
    yield "Message", '{"MessageId":"1","messageid":"2","message-id":"3"}'
    yield "Message", '{"message\\u0049d":"1"}'
    yield "Message", '{"kind":"message","x":{"y":[1,2,{"z":null}]},"messageId":"1"}'
    yield "Message", '{"parts":[{"kind":"text","text":"hi","x":1}],"newField":{}}'
    yield "Task", '{"kind":"task","status":{"state":1,"final":true},"artifacts":[{"index":0}]}'
    yield "AgentCard", '{"protocolVersion":"0.3","security":[],"capabilities":{"x":1},"name":"n"}'
    yield "ListTaskPushNotificationConfigsRequest", '{"page_size":2,"pageToken":"t","task_id":"1"}'
    yield "SecurityScheme", '{"oauth2SecurityScheme":{"oauth2MetadataUrl":"u"}}'
    yield "SecurityScheme", '{"oauth2_security_scheme":{"oauth2_metadata_url":"u"}}'
    yield "SecurityScheme", '{"open_id_connect_security_scheme":{"open_id_connect_url":"u"}}'
    yield "Task", '{"":1,"id":"1"}'


def duplicates():
    yield "Task", '{"id":"1","id":"1"}'
    yield "Task", '{"id":"1","id":null}'
    yield "Task", '{"metadata":{"a":1,"a":2}}'
    yield "Task", '{"metadata":{"a":{"b":1,"b":1}}}'
    yield "Task", '{"metadata":{"a":[{"b":1,"b":1}]}}'
    yield "Task", '{"metadata":{"a":1,"\\u0061":2}}'
    yield "Part", '{"data":{"a":1,"a":2}}'
    yield "SecurityRequirement", '{"schemes":{"a":{},"a":{}}}'
    yield "ImplicitOAuthFlow", '{"scopes":{"a":"1","a":"2"}}'
    yield "Task", '{"artifacts":[],"artifacts":[]}'


def enums():
    for value in (
        '"ROLE_USER"', '"ROLE_UNSPECIFIED"', "2", "0", "99", "-7", "2147483647", "2147483648",
        "1.0", "1e0", "[]", "{}", "null", "-2147483649",
    ):
        yield "Message", f'{{"role":{value}}}'
    yield "TaskStatus", '{"state":"TASK_STATE_INPUT_REQUIRED"}'
    yield "TaskStatus", '{"state":8}'
    yield "TaskStatus", '{"state":9}'


def integers():
    for value in (
        "0", "-0", "1", "-1", "2147483647", "2147483648", "-2147483648", "-2147483649", "10.0",
        "1e1", "1E+2", "1.5", "1e-1", "1e400", "1e20", '"12"', '"-12"', '"0"', '"12.0"', '"1e1"',
        '"1.5"', '""', '" 12"', '"12 "', '"0x1"', '"x"', '"2147483648"', "true", "[]", "{}",
        '"null"', "null", "-0.0", "2147483647.0", "2147483648.0", "01", "+1", ".5", "1.", "0x1",
    ):
        yield "GetTaskRequest", f'{{"historyLength":{value}}}'
    for value in ('"007"', '"+5"', "100.0", "null"):
        yield "ListTasksResponse", f'{{"pageSize":{value}}}'


def booleans_and_strings():
    for value in ("true", "false", "null", "0", "1", '"true"', '""', "[]", "{}", "True"):
        yield "TaskArtifactUpdateEvent", f'{{"append":{value}}}'
        yield "AgentCapabilities", f'{{"streaming":{value}}}'
    for value in (
        '"x"', '""', "null", "1", "1.5", "true", "[]", "{}", '["x"]', '"\\u0000"', '"\\u00e9"',
        '"\\ud83d\\ude00"', '"😀"', '"if a<b && c>d"', '"\\\\u003c"', '"\\u003c"', '"\\/"',
        '"\\x"', '"\t"', '"\n"', "'x'", '"中文"', '"\\u2028"',
    ):
        yield "Task", f'{{"id":{value}}}'
        yield "Part", f'{{"text":{value}}}'
        yield "Part", f'{{"data":{{"s":{value}}}}}'


def bytes_():
    # The same two bytes in every spelling.
    for value in ("_-8", "_-8=", "/+8", "/+8="):
        yield "Part", json.dumps({"raw": value})
    # Every length up to five, in the four spellings.
    for text in ("", "_w", "__8", "____", "_____w", "______8"):
        padded = text + "=" * (-len(text) % 4)
        for value in (text, padded):
            yield "Part", json.dumps({"raw": value})
            yield "Part", json.dumps({"raw": value.replace("_", "/").replace("-", "+")})
    for value in ("null", "1", "true", "[]", "{}"):
        yield "Part", f'{{"raw":{value}}}'
    # A length that no number of bytes has; bits after the last byte.
    for value in ("A", "AAAAA", "YR==", "YR"):
        yield "Part", json.dumps({"raw": value})


def timestamps():
    for value in (
        "2025-04-16T13:38:21Z",
        "2025-04-16T13:38:21.5Z",
        "2025-04-16T13:38:21.50Z",
        "2025-04-16T13:38:21.503Z",
        "2025-04-16T13:38:21.503000Z",
        "2025-04-16T13:38:21.503000000Z",
        "2025-04-16T13:38:21.000000000Z",
        "2025-04-16T13:38:21.5030000000Z",
        "2025-04-16T13:38:21,5Z",
        "2025-04-16T13:38:21+00:00",
        "2025-04-16T13:38:21-00:00",
        "2025-04-16T13:38:21+02:00",
        "2025-04-16T13:38:21-11:30",
        "2025-04-16T13:38:21.5+05:45",
        "2025-04-16T00:30:00+01:00",
        "2024-02-29T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "2000-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2025-04-31T00:00:00Z",
        "2025-13-01T00:00:00Z",
        "2025-00-01T00:00:00Z",
        "2025-01-00T00:00:00Z",
        "2025-01-32T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999Z",
        "0000-12-31T23:59:59Z",
        "10000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "1969-12-31T23:59:59.500Z",
        "1970-01-01T00:00:00Z",
        "2016-12-31T23:59:60Z",
        "2025-04-16T24:00:00Z",
        "2025-04-16T13:60:00Z",
        "2025-04-16T25:00:00Z",
        "2025-04-16",
        "2025-04-16T13:38Z",
        "13:38:21Z",
        "",
        "now",
        "1744810701",
        "2025-04-16T13:38:21 Z",
        " 2025-04-16T13:38:21Z",
        "2025-04-16T13:38:21Zx",
        "2025-04-16T13:38:21+",
        "2025-04-16T13:38:21+02:",
    ):
        yield "TaskStatus", json.dumps({"timestamp": value})
    for value in ("1744810701", "1744810701.5", "true", "{}", "[]", "null", '{"seconds":1}'):
        yield "TaskStatus", f'{{"timestamp":{value}}}'
    yield "ListTasksRequest", '{"statusTimestampAfter":"2025-04-16T13:38:21+02:00"}'


def values():
    """Struct and Value: any JSON."""
    for value in (
        "null", "true", "false", "0", "1", "-1", "1.0", "0.1", "1e21", "1.5e300", "1e-7", "5e-324",
        "9007199254740991", "9007199254740992", "-9007199254740991", "123456789012345680000",
        "10000000000000000", "1e16", "1e15", "123456789012345.5", '"x"', '""', "[]", "{}",
        "[null]", '[1,"2",[3,{"4":5}],{}]', '{"a":null}', '{"":""}', '{"a":{"b":{"c":[]}}}',
        '{"key with \\"quotes\\" and \\u00e9":1}', "01", "- 1",
        '"NaN"', '"Infinity"', "[1,]", '{"a":1,}', "[[[[[[[[[[]]]]]]]]]]",
    ):
        yield "Part", f'{{"data":{value}}}'
        yield "Task", f'{{"metadata":{{"v":{value}}}}}'
    for value in ("null", "1", '"x"', "[]", "true", '{"fields":{"a":{"numberValue":1}}}'):
        yield "Task", f'{{"metadata":{value}}}'
    # The last two are too deep for both.
    for depth in (1, 2, 10, 25, 65, 200):
        yield "Part", '{"data":' + "[" * depth + "]" * depth + "}"
        yield "Task", '{"metadata":' + '{"a":' * depth + "1" + "}" * depth + "}"


def containers():
    """Lists and maps: no `null` inside."""
    for value in ("[]", "null", "{}", "1", '"x"', "[null]", '["a",null]', "[[]]", '["a"]', "[1]"):
        yield "Message", f'{{"extensions":{value}}}'
    for value in ("{}", "null", "[]", "1", '{"a":null}', '{"a":1}', '{"a":{}}', '{"":{}}'):
        yield "ImplicitOAuthFlow", f'{{"scopes":{value}}}'
        yield "SecurityRequirement", f'{{"schemes":{value}}}'
        yield "AgentCard", f'{{"securitySchemes":{value}}}'
    for value in ('{"a":"b"}', '{"":""}', '{"1":"x","true":"y"}'):
        yield "ImplicitOAuthFlow", f'{{"scopes":{value}}}'
    for value in ("[]", "null", "{}", "1", "true", "[null]", "[{}]", "[1]", '[{},{"text":"x"}]'):
        yield "Message", f'{{"parts":{value}}}'
    yield "Task", '{"status":1}'
    yield "Task", '{"status":true}'
    yield "Task", '{"status":{"message":{"parts":[{"metadata":{"a":[]}}]}}}'


def not_json():
    for text in (
        "", " ", "null", "true", "1", "[{}]", "{", "}", "{}}", "{} {}", "{}x", " {} ",
        "\n{}\n", "{,}", '{"id"}', '{"id":}', '{id:"1"}', "{'id':'1'}", '{"id":"1",}', "\ufeff{}",
        '{"id":"1"} // x', "/* x */{}", '{"id":"1"}\x00', '{"id":"', '{"id":"\\', '{"id":"\\u00',
        '{"id":undefined}', '{"unknown":[}', "\u00a0{}",
    ):
        yield "Task", text


def deviations():
    """(message, text, the JSON that we write or None when we refuse, the reason)."""
    return [
        *stricter(),
        *more_liberal(),
        *written_otherwise(),
    ]


def stricter():
    reason = "one field in two spellings is given twice: readers would differ on which one counts"
    yield "Task", '{"contextId":"1","context_id":"1"}', None, reason
    yield "Task", '{"context_id":null,"contextId":"1"}', None, reason
    reason = "data null is a value, so two members of the oneof are set"
    yield "Part", '{"text":"x","data":null}', None, reason
    reason = "an unknown enum name is an error; Python drops it with the unknown fields"
    for value in ('"role_user"', '"user"', '"ROLE_USER "', '""', '"ROLE_OTHER"', '"1"'):
        yield "Message", f'{{"role":{value}}}', None, reason
    yield "TaskStatus", '{"state":"input-required"}', None, reason
    reason = "true is no enum value"
    yield "Message", '{"role":true}', None, reason
    reason = "does not fit into 32 bits"
    yield "Message", '{"role":4294967297}', None, reason
    reason = "a list or a text is no object"
    for text in ("[]", '"x"'):
        yield "Task", text, None, reason
        yield "Task", f'{{"status":{text}}}', None, reason
        yield "Message", f'{{"parts":[{text}]}}', None, reason
        yield "SecurityRequirement", f'{{"schemes":{{"a":{text}}}}}', None, reason
    reason = "not RFC 3339: nothing after the dot, half a minute of offset"
    for value in ("2025-04-16T13:38:21.Z", "2025-04-16T13:38:21+02:0"):
        yield "TaskStatus", json.dumps({"timestamp": value}), None, reason
    reason = "no double, so the other side of a gRPC call could not hold it"
    for value in ("1e999", "-1e400"):
        yield "Part", f'{{"data":{value}}}', None, reason
        yield "Task", f'{{"metadata":{{"v":{value}}}}}', None, reason
    reason = "characters that are no base64 hide an encoder that is broken"
    for value in ("YQ==\n", " YQ==", "Y Q==", "Y*Q=", "YQ==YQ==", "Y=Q=", "_+8="):
        yield "Part", json.dumps({"raw": value}), None, reason


def more_liberal():
    reason = "what is ignored is not looked at"
    yield "Task", '{"x":1,"x":2}', '{"id":""}', reason
    yield "Task", '{"x":{"a":1,"a":2}}', '{"id":""}', reason
    reason = "RFC 3339 allows lower case"
    text = '{"state":"TASK_STATE_UNSPECIFIED","timestamp":"2025-04-16T13:38:21.000Z"}'
    for value in ("2025-04-16t13:38:21z", "2025-04-16T13:38:21z", "2025-04-16t13:38:21Z"):
        yield "TaskStatus", json.dumps({"timestamp": value}), text, reason
    reason = "a time without a zone is in UTC (ISO 8601 allows it, and agents send it)"
    yield "TaskStatus", '{"timestamp":"2025-04-16T13:38:21"}', text, reason


def written_otherwise():
    reason = "written with three digits, what is finer is cut off, not rounded"
    text = '{"state":"TASK_STATE_UNSPECIFIED","timestamp":"2025-04-16T13:38:21.999Z"}'
    for value in ("999999", "999999999", "9990001"):
        yield "TaskStatus", f'{{"timestamp":"2025-04-16T13:38:21.{value}Z"}}', text, reason
    reason = "a whole number has no fraction: strict readers of integers stop at .0"
    for value in ("1", "1.0", "1e0", "100e-2"):
        yield "Part", f'{{"data":{value}}}', '{"data":1}', reason
    yield "Part", '{"data":-0.0}', '{"data":0}', reason
    reason = "an integer of 64 bits is kept, not rounded to a double"
    for value in ("9007199254740993", "-9223372036854775808", "18446744073709551615"):
        yield "Part", f'{{"data":{value}}}', f'{{"data":{value}}}', reason
    reason = "required fields are always written"
    yield "Task", "{}", '{"id":""}', reason
    yield "ListTasksResponse", "{}", (
        '{"tasks":[],"nextPageToken":"","pageSize":0,"totalSize":0}'
    ), reason
    yield "AgentCard", "{}", (
        '{"name":"","description":"","supportedInterfaces":[],"version":"","defaultInputModes":[],'
        '"defaultOutputModes":[],"skills":[]}'
    ), reason
    yield "ClientCredentialsOAuthFlow", "{}", '{"tokenUrl":"","scopes":{}}', reason
