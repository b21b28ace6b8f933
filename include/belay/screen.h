// The interactive front of a task: what a person at a terminal sees and types. An edge.
#pragma once

#include <belay/screen/text.h>
#include <belay/screen/view.h>
