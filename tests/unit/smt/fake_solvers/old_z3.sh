#!/bin/sh
# As an old Z3 answers --version.
echo 'Z3 version 4.8.12 - 64 bit'
