#include <reads.h>

#include <iostream>

int main() { std::cout << mended("{'a': [1, 2,]}") << "\n"; }
