// What keeps tools in their place: files beneath the workspace, and the cage that commands run in.
#pragma once

#include <belay/sandbox/cage.h>
#include <belay/sandbox/command.h>
#include <belay/sandbox/workspace.h>
