export { tell } from "../scotland_yard/reasons";
