import ArgumentParser
import Glibc
import Logging
import VarveTool

// A write beyond the limit of the size of files then fails with EFBIG, which is reported.
signal(SIGXFSZ, SIG_IGN)

// Only warnings and errors are logged.
LoggingSystem.bootstrap { label in
  var handler = StreamLogHandler.standardError(label: label)
  handler.logLevel = .warning
  return handler
}
VarveCommand.main()
