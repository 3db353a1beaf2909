// This tool sends the gateway malformed requests and checks that it refuses them properly.
