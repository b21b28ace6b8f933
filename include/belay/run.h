// Runs tasks and tools. Edges: threads, processes, network and the clock.
#pragma once

#include <belay/run/agent.h>
#include <belay/run/ask.h>
#include <belay/run/cassette.h>
#include <belay/run/front.h>
#include <belay/run/gated.h>
#include <belay/run/perform.h>
