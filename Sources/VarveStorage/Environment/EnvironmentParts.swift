/// What an environment is made of, once everything has gone well.
struct EnvironmentParts {
  var path: String
  var options: EnvironmentOptions
  var isPrivateCopy: Bool
  var fileKey: RandomIdentity
  var identity: FileIdentity
  var pageSize: Int
  var commitSignal: CommitSignal
  var engine: Engine
  var mainTable: EngineTable
  var handles: [(Table, EngineTable)]
  var mapping: ReadMapping
  var mapSize: Int
  var lockFileIdentity: FileIdentity?
  /// nil where LMDB's lock file is not laid out as known.
  var visibleVersion: VisibleVersion?
  var signalPage: SignalPage?
  var slot: EnvironmentSlot
}
