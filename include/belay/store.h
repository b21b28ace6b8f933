// Where tasks are kept: an interface, and what implements it.
#pragma once

#include <belay/store/sqlite.h>
#include <belay/store/store.h>
