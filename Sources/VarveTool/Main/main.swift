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

// Only warnings and errors are logged.
LoggingSystem.bootstrap { label in
  var handler = StreamLogHandler.standardError(label: label)
  handler.logLevel = .warning
  return handler
}
VarveCommand.main()
