// The agent loop as a state machine: facts in; records to keep, actions to perform and events to show out.
#pragma once

#include <belay/task/action.h>
#include <belay/task/breakers.h>
#include <belay/task/context.h>
#include <belay/task/event.h>
#include <belay/task/history.h>
#include <belay/task/listener.h>
#include <belay/task/prompt.h>
#include <belay/task/record.h>
#include <belay/task/retry.h>
#include <belay/task/settings.h>
#include <belay/task/tree.h>
