import Foundation
import Varve

#if DueDates
  /// A task, in the next version of the server: it has one more property.
  ///
  /// The first process of this version adds the property when it opens the store. Tasks that were
  /// stored before have no date, and processes of the version before do not see the property.
  @Model final class TaskItem: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    @Persisted(fullText: true) var title = ""
    @Persisted var notes = ""
    @Persisted(indexed: true) var isDone = false
    @Persisted var createdAt = Date()
    @Persisted var due: Date?
  }
#else
  /// A task.
  @Model final class TaskItem: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    @Persisted(fullText: true) var title = ""
    @Persisted var notes = ""
    @Persisted(indexed: true) var isDone = false
    @Persisted var createdAt = Date()
  }
#endif
