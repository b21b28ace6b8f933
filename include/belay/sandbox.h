// What keeps tools in their place: the cage that commands run in.
#pragma once

#include <belay/sandbox/cage.h>
#include <belay/sandbox/command.h>
