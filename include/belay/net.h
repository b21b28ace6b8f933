// HTTP, out and in. Edges: sockets, threads, TLS.
#pragma once

#include <belay/net/client.h>
#include <belay/net/secrets.h>
#include <belay/net/server.h>
