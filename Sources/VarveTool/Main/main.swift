import ArgumentParser
import Logging
import VarveTool

// Only warnings and errors are logged.
LoggingSystem.bootstrap { label in
  var handler = StreamLogHandler.standardError(label: label)
  handler.logLevel = .warning
  return handler
}
VarveCommand.main()
