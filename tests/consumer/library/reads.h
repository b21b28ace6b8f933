#pragma once

#include <string>

std::string mended(const std::string& text);
