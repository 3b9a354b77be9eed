"""Calls an agent over gRPC with nothing but its address: the rest is asked from its reflection.

    reflect.py HOST:PORT METHOD JSON        one call; prints a JSON object a message
    reflect.py HOST:PORT                    prints the services and their methods

It does what grpcurl does, for machines that have only Python.
"""

import json
import sys

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

SERVICE = 'lf.a2a.v1.A2AService'


def main(address, method=None, request='{}'):
    with grpc.insecure_channel(address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = DescriptorPool(database)
        if method is None:
            for name in database.get_services():
                methods = pool.FindServiceByName(name).methods
                print(json.dumps({'service': name, 'methods': [m.name for m in methods]}))
        else:
            for message in call(channel, pool.FindMethodByName(f'{SERVICE}.{method}'), json.loads(request)):
                print(json.dumps(json_format.MessageToDict(message)))


def call(channel, method, request):
    """All messages that come back."""
    request = json_format.ParseDict(request, GetMessageClass(method.input_type)())
    kind = channel.unary_stream if method.server_streaming else channel.unary_unary
    invoke = kind(
        f'/{method.containing_service.full_name}/{method.name}',
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    answer = invoke(request, timeout=20, metadata=[('a2a-version', '1.0')])
    return answer if method.server_streaming else [answer]


if __name__ == '__main__':
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
