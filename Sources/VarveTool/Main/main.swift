import ArgumentParser
import Logging
import VarveTool

// Who runs a command wants its output, and what is wrong.
LoggingSystem.bootstrap { label in
  var handler = StreamLogHandler.standardError(label: label)
  handler.logLevel = .warning
  return handler
}
VarveCommand.main()
