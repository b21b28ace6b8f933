// The interactive front of a task: what a person at a terminal sees and types. An edge.
#pragma once

#include <belay/screen/console.h>
#include <belay/screen/editor.h>
#include <belay/screen/keys.h>
#include <belay/screen/picker.h>
#include <belay/screen/terminal.h>
#include <belay/screen/text.h>
#include <belay/screen/view.h>
