import Logging
import VarveEncoding
import VarveStorage

extension Store {
  /// Stores the defaults that objects lack, in the background.
  ///
  /// - Parameter newest: The newest version; nil if it is not known.
  func fillDefaults(upTo newest: Snapshot? = nil) {
    guard defaultFiller.isNeeded, !isClosed else { return }
    guard let newest = newest ?? (try? newestSnapshot()) else { return }
    defaultFiller.schedule(self, newest: newest)
  }

  /// Stores the defaults that objects of the program's classes lack, when the store is opened. If
  /// another process holds the write lock for too long, they are stored in the background.
  func fillDefaults(atOpen program: ProgramClasses) {
    let schema = schema
    guard !options.isReadOnly, schema.mayLackDefaults else { return }
    for model in Store.closure(of: program.models(in: schema)) {
      defaultFiller.note(model, schema.schema(named: model.name))
    }
    if !isWritingThread { defaultFiller.fillAtOpen(self) }
  }

  /// Adds the properties of a class to the file, with the defaults of its objects, in the
  /// background.
  func registerInBackground(_ model: ClassDescription) {
    guard !model.isDynamic, !options.isReadOnly else { return }
    defaultFiller.noteUnregistered(model)
    fillDefaults()
  }

  /// Stores the defaults that objects lack now, after a run in the background. For tests.
  package func storeMissingDefaults() throws { try defaultFiller.runNow(self) }

  /// Stores the defaults that objects of a class lack, since one was read in the newest version.
  func noteLacking(_ model: ClassDescription, _ schema: ClassSchema, _ newest: Snapshot) {
    defaultFiller.note(model, schema)
    defaultFiller.noteLacking(newest)
    fillDefaults(upTo: newest)
  }
}

extension Transaction {
  /// Tells the filler of the classes that may lack defaults, and of a commit that left some out.
  func noteDefaults(_ newest: Snapshot) {
    for model in boundWithDefaults {
      store.defaultFiller.note(model, schema.schema(named: model.name))
    }
    if leavesDefaults, newest !== base { store.fillDefaults(upTo: newest) }
  }
}
