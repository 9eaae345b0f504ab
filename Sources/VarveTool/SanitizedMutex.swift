#if VARVE_THREAD_SANITIZER
  import VarveStorage

  /// The mutex of this module in builds for the thread sanitizer.
  typealias Mutex<Value> = SanitizedMutex<Value>
#endif
