"""The version, a constant: looking it up would cost more than starting the command."""

VERSION = "0.1.0"
