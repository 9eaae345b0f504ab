#if Server
  public import Tracing
  public import Varve

  extension Realm {
    /// Runs a write transaction like the asynchronous `write`, inside a span.
    ///
    /// ```swift
    /// try await realm.write(span: "complete task") { task.isDone = true }
    /// ```
    ///
    /// The span lasts from the call to the commit. Its event `begun` marks the end of the wait for
    /// other writes, and `done` the end of the closure; the rest is the commit, with the closures
    /// that share it. It has the attributes `db.system.name` (`varve`) and `db.namespace`, the path
    /// of the file. Its parent is the current span of the task, such as that of the request, and
    /// spans that the closure starts are its children. An error is recorded.
    ///
    /// Unstable: a minor release before 1.0 may change this method, and the names of its events.
    ///
    /// - Parameters:
    ///   - name: The name of the span: what the write does, without variable parts.
    ///   - tracer: The tracer; nil for that of the process.
    ///   - block: A closure that makes the changes.
    /// - Returns: The value that the closure returns, once the write is committed.
    /// - Throws: The errors of `write`.
    @discardableResult
    public func write<R: Sendable>(
      span name: String, tracer: (any Tracer)? = nil, _ block: @escaping @Sendable () throws -> R
    ) async throws -> R {
      let tracer = tracer ?? InstrumentationSystem.tracer
      return try await tracer.withAnySpan(name, ofKind: .internal) { span in
        span.attributes["db.system.name"] = "varve"
        span.attributes["db.namespace"] = configuration.storePath
        return try await write {
          span.addEvent("begun")
          defer { span.addEvent("done") }
          return try block()
        }
      }
    }
  }
#endif
