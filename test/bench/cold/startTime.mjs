// Imports the named module and calls its handler once, as the first request of a function does, and prints how
// much processor time that took: milliseconds. Parameters: the module, and the event as JSON.
const [, , module, event] = process.argv;
const before = process.cpuUsage();
const { handler } = await import(module);
const answer = await handler(JSON.parse(event), {});
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ milliseconds: (user + system) / 1000, status: answer?.statusCode }));
process.exit();
