#if VARVE_THREAD_SANITIZER
  package import VarveStorage

  /// The mutex of this module in builds for the thread sanitizer.
  package typealias Mutex<Value> = SanitizedMutex<Value>
#endif
