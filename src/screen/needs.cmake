find_package(Threads REQUIRED)
