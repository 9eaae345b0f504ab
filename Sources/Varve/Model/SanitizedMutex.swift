#if VARVE_THREAD_SANITIZER
  import VarveCore

  /// The mutex of this module in builds for the thread sanitizer.
  typealias Mutex<Value> = VarveCore.Mutex<Value>
#endif
