import ArgumentParser
import Glibc
import Logging
import VarveTool

// A file of the store would get the number of a closed standard descriptor. Writing to these fails.
for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
  _ = open("/dev/null", O_RDONLY)
}

// The commands handle the error of a closed pipe, and their exit codes do not depend on the reader.
signal(SIGPIPE, SIG_IGN)

// Errors are printed by the commands, and a warning about a long write would concern their own.
LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
VarveCommand.run(Array(CommandLine.arguments.dropFirst()))
