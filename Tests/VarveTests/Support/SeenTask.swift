/// What a closure sees of the task that it runs in.
struct SeenTask: Equatable, Sendable {
  @TaskLocal static var number = 0

  var number: Int
  var priority: TaskPriority
  var isCancelled: Bool

  static var current: Self {
    Self(number: number, priority: Task.currentPriority, isCancelled: Task.isCancelled)
  }
}
