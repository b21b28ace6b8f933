// MCP: other people's tools. Messages and sessions are pure; transports, servers and configuration are edges.
#pragma once

#include <belay/mcp/approvals.h>
#include <belay/mcp/as_written.h>
#include <belay/mcp/config.h>
#include <belay/mcp/form.h>
#include <belay/mcp/message.h>
#include <belay/mcp/sampling.h>
#include <belay/mcp/serve.h>
#include <belay/mcp/server_config.h>
#include <belay/mcp/server_session.h>
#include <belay/mcp/servers.h>
#include <belay/mcp/session.h>
#include <belay/mcp/tool_cache.h>
#include <belay/mcp/tool_diff.h>
#include <belay/mcp/tools.h>
#include <belay/mcp/types.h>
