// host PLUGIN...: opens them all, each for all others to see, then asks each.
#include <dlfcn.h>

#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  std::vector<void*> plugins;
  for (int i = 1; i < argc; ++i) {
    plugins.push_back(dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL));
    if (!plugins.back()) {
      std::cerr << dlerror() << "\n";
      return 1;
    }
  }
  for (void* plugin : plugins) std::cout << reinterpret_cast<const char* (*)()>(dlsym(plugin, "plugin_says"))() << "\n";
}
