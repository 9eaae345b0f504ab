/// An engine without a result for a workload: a line of JSON.
package struct WorkloadRefusal: Encodable, Equatable, Sendable {
  package var engine: String
  package var workload: String

  /// The reason why the engine does not support the workload.
  package var notOffered: String?

  /// The failure, if there was one. A wrong answer is a failure.
  package var failure: String?

  enum CodingKeys: String, CodingKey {
    case engine
    case workload
    case notOffered = "not_offered"
    case failure
  }

  /// - Parameters:
  ///   - engine: The engine's name.
  ///   - error: The error that was thrown: ``NotOffered``, or a failure.
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
