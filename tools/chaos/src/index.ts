// This room breaks a running system on purpose and checks that no usage is lost or counted twice.
export {};
