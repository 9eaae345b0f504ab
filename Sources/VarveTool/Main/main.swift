import ArgumentParser
import VarveTool

VarveCommand.main()
