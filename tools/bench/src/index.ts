// This tool measures the gateway: load generator, fake upstream, CPU microseconds per request.
