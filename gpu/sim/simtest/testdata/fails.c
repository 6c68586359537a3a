// A driver whose cuInit fails.
int cuInit(unsigned flags) { return (void)flags, 999; }
int cuDeviceGetCount(int *n) { return *n = 1, 0; }
int cuGetErrorName(int e, const char **name) { return (void)e, *name = "CUDA_ERROR_UNKNOWN", 0; }
