// Imports the named module, as the runtime of a function does, and prints how much processor time that took:
// milliseconds, which other work on the machine does not change much.
const before = process.cpuUsage();
await import(process.argv[2]);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1000));
