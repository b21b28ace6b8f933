// turn: one answer of a model, put together from the deltas of its stream. Start with turn/ledger.h.
#pragma once

#include <belay/turn/answer.h>
#include <belay/turn/call.h>
#include <belay/turn/ledger.h>
#include <belay/turn/names.h>
