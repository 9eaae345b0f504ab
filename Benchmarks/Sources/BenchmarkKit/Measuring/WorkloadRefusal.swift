/// That an engine has no result in a workload: a line of JSON.
package struct WorkloadRefusal: Encodable, Equatable, Sendable {
  package var engine: String
  package var workload: String

  /// Why the engine does not do the workload.
  package var notOffered: String?

  /// How it failed, if it did; a wrong answer is a failure.
  package var failure: String?

  enum CodingKeys: String, CodingKey {
    case engine
    case workload
    case notOffered = "not_offered"
    case failure
  }

  /// - Parameters:
  ///   - engine: The engine's name.
  ///   - workload: The workload.
  ///   - error: What was thrown instead of a result: ``NotOffered``, or a failure.
  package init(engine: String, workload: Workload, error: any Error) {
    self.engine = engine
    self.workload = workload.name
    if let error = error as? NotOffered {
      notOffered = error.reason
    } else {
      failure = "\(error)"
    }
  }
}
