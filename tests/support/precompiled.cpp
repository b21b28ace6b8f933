// Nothing: the programs of the tests share the compiled header that is made for this file.
