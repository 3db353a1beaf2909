export { signInAtProvider } from './sign-in-at-provider';
