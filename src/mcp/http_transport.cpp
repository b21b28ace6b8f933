#include "mcp/transport.h"
namespace belay::mcp {
std::unique_ptr<Transport> http_transport(const ServerConfig&, net::Client&) { return nullptr; }
}  // namespace belay::mcp
