import Testing
import Varve

/// An operation that a write must reject, and the expected error.
struct Misuse {
  let name: String
  let code: Realm.Error.Code
  let className: String?
  let propertyName: String?
  let value: String?
  let use: (MisuseScene) throws -> Void

  init(
    _ name: String, _ code: Realm.Error.Code, _ className: String? = nil,
    _ propertyName: String? = nil, _ value: String? = nil,
    _ use: @escaping (MisuseScene) throws -> Void
  ) {
    self.name = name
    self.code = code
    self.className = className
    self.propertyName = propertyName
    self.value = value
    self.use = use
  }

  /// Runs each misuse in its own write. The write must throw an error with code, class, property
  /// and value and must be rolled back: the changes before and after the misuse and the misuse
  /// itself.
  static func check(
    _ misuses: [Misuse], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let scene = try MisuseScene()
    defer { scene.end() }
    let content = try scene.content()
    let version = scene.realm.version
    for misuse in misuses {
      let error = thrownError { try misuse.write(scene) }
      let found = "\(misuse.name): \(error.map(String.init(describing:)) ?? "no error")"
      let identity = (error?.className, error?.propertyName, error?.value)
      #expect(error?.code == misuse.code, "\(found)", sourceLocation: sourceLocation)
      #expect(
        identity == (misuse.className, misuse.propertyName, misuse.value), "\(found)",
        sourceLocation: sourceLocation)
      #expect(scene.realm.version == version, "\(misuse.name)", sourceLocation: sourceLocation)
      let left = try scene.content()
      guard left == content else {
        Issue.record("\(misuse.name): something stays", sourceLocation: sourceLocation)
        return
      }
    }
    // The next write succeeds.
    try scene.realm.write { scene.own.count = 1 }
    #expect(scene.own.count == 1, sourceLocation: sourceLocation)
  }

  private func write(_ scene: MisuseScene) throws {
    try scene.realm.write {
      scene.own.count = 99
      scene.depot.numbers.append(4)
      scene.realm.add(Depots.Ware("lost"))
      try use(scene)
      // The rejected operation is skipped, and the closure continues.
      scene.depot.title = "lost"
      scene.depot.notes["lost"] = "lost"
      scene.realm.create(Depots.Ware.self, value: ["name": "lost too"])
    }
  }
}
