import Foundation
import Varve

/// A task.
@Model final class TaskItem: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted(fullText: true) var title = ""
  @Persisted var notes = ""
  @Persisted(indexed: true) var isDone = false
  @Persisted var createdAt = Date()
  #if DueDates
    /// The new property of the next version of the server.
    ///
    /// The first process with it adds it to the store. Tasks that were stored before have no date, and
    /// processes of the version before do not see the property.
    @Persisted var due: Date?
  #endif
}
