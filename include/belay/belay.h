// Start here: what libbelay is mostly used for. Each module of src/ has its header beside this one.
#pragma once

#include <belay/base.h>     // limits, positions
#include <belay/chat.h>     // the neutral vocabulary of conversations
#include <belay/json.h>     // the tolerant incremental JSON reader
#include <belay/policy.h>   // what may run
#include <belay/schema.h>   // JSON Schema: compile, check, align
#include <belay/sse.h>      // a body cut into events
#include <belay/task.h>     // the agent's loop as a state machine
#include <belay/turn.h>     // deltas put together to one answer with its calls
#include <belay/version.h>  // BELAY_VERSION
#include <belay/wire.h>     // providers' dialects, both ways
